# SPDX-License-Identifier: MIT
# Times glmnet, as the tables of this folder ask on standard input, one command a line:
#
#   load FOLDER ROWS COLUMNS LAMBDAS FAMILY     X, y and lambda, as doubles, by columns
#   fit THRESH                                  the path
#   coefficients FILE                           of the path that was fitted last: columns x number of lambda
#
# Each is answered by one line of names and numbers. glmnet minimises the mean of the loss
# (half the squared residual) plus lambda |b|_1.
suppressPackageStartupMessages(library(glmnet))

read_doubles <- function(folder, name, count) readBin(file.path(folder, name), "double", count)

input <- file("stdin", "r")
while (length(line <- readLines(input, 1)) > 0) {
  words <- strsplit(line, " ")[[1]]
  answer <- ""
  if (words[1] == "load") {
    rows <- as.integer(words[3])
    columns <- as.integer(words[4])
    X <- matrix(read_doubles(words[2], "X", rows * columns), rows, columns)
    y <- read_doubles(words[2], "y", rows)
    lambda <- read_doubles(words[2], "lambda", as.integer(words[5])) / rows
    family <- words[6]
  } else if (words[1] == "fit") {
    threshold <- as.numeric(words[2])
    start <- Sys.time()
    path <- glmnet(X, y, family = family, lambda = lambda, thresh = threshold, standardize = FALSE,
                   intercept = FALSE, maxit = 1e8)
    answer <- sprintf("seconds %.9f", as.numeric(difftime(Sys.time(), start, units = "secs")))
    if (length(path$lambda) < length(lambda)) {
      stop("glmnet ended at ", length(path$lambda), " of ", length(lambda), " lambda: ", path$jerr)
    }
  } else if (words[1] == "coefficients") {
    writeBin(as.vector(as.matrix(path$beta)), words[2])
  } else {
    stop("unknown command ", words[1])
  }
  cat(answer, "\n", sep = "")
  flush(stdout())
}
