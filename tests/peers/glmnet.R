# SPDX-License-Identifier: MIT
# glmnet.R CASES RESULT: fits each row of CASES (file, family, lambda, alpha, intercept, standardize, thresh) and writes
# intercept and coefficients, one row each; of several classes all intercepts, then the coefficients class after class.
# A descending sequence ends at lambda, since glmnet is made for paths: for several classes a long one, because a ridge
# whose first lambda is not large stays where it was at that lambda.
suppressPackageStartupMessages(library(glmnet))
arguments <- commandArgs(trailingOnly = TRUE)
cases <- read.csv(arguments[1], stringsAsFactors = FALSE)
glmnet.control(fdev = 0, devmax = 1)
connection <- file(arguments[2], "w")
for (i in seq_len(nrow(cases))) {
  case <- cases[i, ]
  table <- as.matrix(read.csv(case$file))
  p <- ncol(table) - 1
  path <- case$lambda * 2^((if (case$family == "multinomial") 12 else 6):0)
  fit <- glmnet(table[, 1:p], table[, p + 1], family = case$family, alpha = case$alpha, lambda = path,
                thresh = case$thresh, maxit = 1e8, intercept = case$intercept == "True",
                standardize = case$standardize == "True")
  if (length(fit$lambda) < length(path)) stop("glmnet ended at ", length(fit$lambda), " of ", length(path), " lambda")
  last <- length(path)
  values <- if (case$family == "multinomial") c(fit$a0[, last], sapply(fit$beta, function(beta) beta[, last]))
            else c(fit$a0[last], fit$beta[, last])
  writeLines(paste(formatC(values, digits = 17, format = "g"), collapse = ","), connection)
}
close(connection)
