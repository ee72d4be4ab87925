# SPDX-License-Identifier: MIT
# quantreg.R CASES RESULT: quantile regression without penalty of each row of CASES (file, tau, intercept); writes
# intercept and coefficients, one row each.
suppressPackageStartupMessages(library(quantreg))
arguments <- commandArgs(trailingOnly = TRUE)
cases <- read.csv(arguments[1], stringsAsFactors = FALSE)
connection <- file(arguments[2], "w")
for (i in seq_len(nrow(cases))) {
  case <- cases[i, ]
  table <- as.matrix(read.csv(case$file))
  p <- ncol(table) - 1
  X <- table[, 1:p]
  with_intercept <- case$intercept == "True"
  # The simplex method of Barrodale and Roberts: a corner of the linear program, found exactly.
  fit <- rq.fit.br(if (with_intercept) cbind(1, X) else X, table[, p + 1], tau = case$tau)
  values <- if (with_intercept) fit$coefficients else c(0, fit$coefficients)
  writeLines(paste(formatC(values, digits = 17, format = "g"), collapse = ","), connection)
}
close(connection)
