# SPDX-License-Identifier: MIT
# glmnet.R CASES RESULT: fits each row of CASES (file, lambda, alpha, intercept, standardize, thresh) and writes
# intercept and coefficients, one row each. A descending sequence ends at lambda, since glmnet is made for paths.
suppressPackageStartupMessages(library(glmnet))
arguments <- commandArgs(trailingOnly = TRUE)
cases <- read.csv(arguments[1], stringsAsFactors = FALSE)
glmnet.control(fdev = 0, devmax = 1)
connection <- file(arguments[2], "w")
for (i in seq_len(nrow(cases))) {
  case <- cases[i, ]
  table <- as.matrix(read.csv(case$file))
  p <- ncol(table) - 1
  path <- case$lambda * 2^(6:0)
  fit <- glmnet(table[, 1:p], table[, p + 1], alpha = case$alpha, lambda = path, thresh = case$thresh, maxit = 1e8,
                intercept = case$intercept == "True", standardize = case$standardize == "True")
  values <- c(fit$a0[length(path)], fit$beta[, length(path)])
  writeLines(paste(formatC(values, digits = 17, format = "g"), collapse = ","), connection)
}
close(connection)
