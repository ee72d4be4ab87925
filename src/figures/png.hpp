// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace alo::report {

// Pictures, row by row, as the address of themselves ("data:image/png;base64,..."), which an SVG takes for a
// picture in a file.

// In grey levels.
std::string grey_picture(std::span<const std::uint8_t> levels, std::uint32_t width, std::uint32_t height);

// In the colours of a palette, of which the levels are numbers. Colours are shares of red, green and blue in
// 255.
using Colour = std::array<std::uint8_t, 3>;
std::string colour_picture(std::span<const std::uint8_t> levels, std::uint32_t width, std::uint32_t height,
                           std::span<const Colour> palette);

}  // namespace alo::report
