# Installation and the package file that find_package(alo) reads.
