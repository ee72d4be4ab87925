// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>

namespace alo {

// The base of all errors. Every message says what is wrong, where, and what to do instead. The library
// throws; it never prints and never exits.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
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
