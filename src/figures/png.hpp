// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace alo::report {

// Pictures as data URLs ("data:image/png;base64,..."), which an SVG accepts as the address of a picture.
// Pixels are given row by row.

// A picture in grey levels.
std::string gray_picture(std::span<const std::uint8_t> levels, std::uint32_t width, std::uint32_t height);

// A picture whose levels are indices into a palette. A colour has red, green and blue from 0 to 255.
using Color = std::array<std::uint8_t, 3>;
std::string color_picture(std::span<const std::uint8_t> levels, std::uint32_t width, std::uint32_t height,
                          std::span<const Color> palette);

}  // namespace alo::report
