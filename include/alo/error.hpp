// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "alo/message.hpp"

namespace alo {

// The base of all errors. Every message says what is wrong, where, and what to do instead. The library
// throws; it never prints and never exits.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& text, std::vector<Hint> hints = {})
      : std::runtime_error(text), hints_(std::make_shared<const std::vector<Hint>>(std::move(hints))) {}

  // The settings that the message is about.
  const std::vector<Hint>& hints() const noexcept { return *hints_; }
  Message message() const { return {what(), hints()}; }

 private:
  std::shared_ptr<const std::vector<Hint>> hints_;  // shared, so that a copy cannot throw
};

// A setting is wrong by itself: an unknown name, a negative lambda.
class InvalidArgument : public Error {
 public:
  using Error::Error;
};

// The data cannot be used, or a setting does not fit them: NaN in row 7, no column of that name, lambda = 0
// with more columns than rows.
class InvalidData : public InvalidArgument {
 public:
  using InvalidArgument::InvalidArgument;
};

// A result could not be written: no such folder, disk full.
class OutputError : public Error {
 public:
  using Error::Error;
};

}  // namespace alo
