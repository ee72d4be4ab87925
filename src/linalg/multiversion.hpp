// SPDX-License-Identifier: MIT
#pragma once

// A function so marked is compiled for several instruction sets, and the processor's best is
// chosen when the program starts: for hot loops that are not a BLAS operation. Sanitizers are not yet at work
// when that happens.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define ALO_MULTIVERSION __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define ALO_MULTIVERSION
#endif
