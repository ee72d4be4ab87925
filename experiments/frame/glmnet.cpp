// SPDX-License-Identifier: MIT
#include "glmnet.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>

namespace paper {

namespace {

void write_doubles(const std::filesystem::path& path, const double* values, std::size_t count) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(values), static_cast<std::streamsize>(count * sizeof(double)));
  if (!file.flush()) throw std::runtime_error(path.string() + " cannot be written");
}

}  // namespace

std::unique_ptr<Glmnet> Glmnet::start(const std::filesystem::path& source) {
  if (std::system("Rscript -e 'library(glmnet)' >/dev/null 2>&1") != 0) return nullptr;
  std::array<int, 2> to{}, from{};
  if (pipe(to.data()) != 0 || pipe(from.data()) != 0) throw std::runtime_error("no pipe to R");
  const std::string worker = (source / "bench/compare/glmnet_worker.R").string();
  const pid_t process = fork();
  if (process < 0) throw std::runtime_error("R could not be started");
  if (process == 0) {
    dup2(to[0], STDIN_FILENO);
    dup2(from[1], STDOUT_FILENO);
    for (const int end : {to[0], to[1], from[0], from[1]}) close(end);
    execlp("Rscript", "Rscript", worker.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  close(to[0]);
  close(from[1]);
  std::string folder = (std::filesystem::temp_directory_path() / "alo-paper-XXXXXX").string();
  if (!mkdtemp(folder.data())) throw std::runtime_error("no temporary folder");
  return std::unique_ptr<Glmnet>(new Glmnet(process, to[1], from[0], folder));
}

Glmnet::Glmnet(pid_t process, int to, int from, std::filesystem::path folder)
    : process_(process), to_(to), from_(from), folder_(std::move(folder)) {}

Glmnet::~Glmnet() {
  close(to_);
  close(from_);
  waitpid(process_, nullptr, 0);
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::string Glmnet::ask(const std::string& command) {
  const std::string line = command + "\n";
  if (write(to_, line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
    throw std::runtime_error("R ended before: " + command);
  }
  std::string answer;
  for (char letter = 0; letter != '\n';) {
    if (read(from_, &letter, 1) != 1) throw std::runtime_error("R ended at: " + command);
    answer += letter;
  }
  return answer;
}

void Glmnet::load(const alo::Dataset& data, const std::vector<double>& lambdas) {
  const alo::Matrix& values = data.design.dense_values();
  write_doubles(folder_ / "X", values.data(), static_cast<std::size_t>(values.size()));
  write_doubles(folder_ / "y", data.response.data(), static_cast<std::size_t>(data.rows()));
  write_doubles(folder_ / "lambda", lambdas.data(), lambdas.size());
  ask(fmt::format("load {} {} {} {} gaussian", folder_.string(), data.rows(), data.columns(),
                  lambdas.size()));
}

double Glmnet::fit(const std::string& threshold) {
  const std::string answer = ask("fit " + threshold);
  return std::stod(answer.substr(answer.find(' ')));
}

}  // namespace paper
