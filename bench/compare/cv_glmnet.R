# SPDX-License-Identifier: MIT
# Times cv.glmnet with its defaults, and the path alone:
#
#   Rscript cv_glmnet.R FOLDER dense|sparse ROWS COLUMNS FAMILY ALPHA FILE
#
# FOLDER has X by columns (sparse: i, p and x of its columns) and y. FILE receives the intercept and the coefficients at
# lambda.min. Prints names and numbers.
suppressPackageStartupMessages(library(glmnet))

words <- commandArgs(trailingOnly = TRUE)
rows <- as.integer(words[3])
columns <- as.integer(words[4])
read <- function(name, what, count) readBin(file.path(words[1], name), what, count)
if (words[2] == "sparse") {
  p <- read("p", "integer", columns + 1)
  count <- p[columns + 1]
  X <- new("dgCMatrix", i = read("i", "integer", count), p = p, x = read("x", "double", count), Dim = c(rows, columns))
} else {
  X <- matrix(read("X", "double", rows * columns), rows, columns)
}
y <- read("y", "double", rows)
alpha <- as.numeric(words[6])

seconds <- function(expression) {
  start <- proc.time()
  value <- eval.parent(expression)
  list(value = value, spent = proc.time() - start)
}
path <- seconds(quote(glmnet(X, y, family = words[5], alpha = alpha)))
set.seed(1)
cross <- seconds(quote(cv.glmnet(X, y, family = words[5], alpha = alpha)))
best <- coef(cross$value, s = "lambda.min")
writeBin(as.vector(as.matrix(best)), words[7])
cat("path_seconds", path$spent[["elapsed"]], "lambdas", length(path$value$lambda),
    "wall", cross$spent[["elapsed"]], "cpu", cross$spent[["user.self"]] + cross$spent[["sys.self"]],
    "active", sum(best[-1] != 0), "\n")
