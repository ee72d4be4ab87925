// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>

namespace alo {

// Every message says what is wrong, where, and what to do instead. The library
// throws; it never prints and never exits.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A setting that is wrong on its own: an unknown name, a negative lambda.
class InvalidArgument : public Error {
 public:
  using Error::Error;
};

// Data that cannot be used, or that a setting does not fit: NaN in row 7, no
// column of that name, lambda = 0 with more columns than rows.
class InvalidData : public InvalidArgument {
 public:
  using InvalidArgument::InvalidArgument;
};

// A result that could not be written: no such folder, disk full.
class OutputError : public Error {
 public:
  using Error::Error;
};

}  // namespace alo
