// SPDX-License-Identifier: MIT
// Settings of a run as every front end names them, and what follows from the machine.
#include <algorithm>
#include <thread>

#include "alo/tune.hpp"

namespace alo {

const Words<Rule>& rules() {
  static const Words<Rule> words = {
      {"min", Rule::minimum}, {"1se", Rule::one_se}, {"1se-paired", Rule::one_se_paired}};
  return words;
}

const Words<Search>& searches() {
  static const Words<Search> words = {{"grid", Search::grid}, {"exact", Search::exact}};
  return words;
}

const Words<Framework>& frameworks() {
  static const Words<Framework> words = {
      {"auto", Framework::automatic}, {"primal", Framework::primal}, {"dual", Framework::dual}};
  return words;
}

const Words<ChooseBy>& choosers() {
  static const Words<ChooseBy> words = {{"auto", ChooseBy::automatic},
                                        {"alo", ChooseBy::alo},
                                        {"exact", ChooseBy::exact},
                                        {"kfold", ChooseBy::kfold}};
  return words;
}

const Words<Repair>& repairs() {
  static const Words<Repair> words = {
      {"auto", Repair::automatic}, {"none", Repair::none}, {"exact", Repair::exact}};
  return words;
}

int default_threads() {
  constexpr unsigned most = 128;
  return static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1U, most));
}

}  // namespace alo
