// SPDX-License-Identifier: MIT
#include "signals/hat_system.hpp"

namespace alo {

void sum_rows(HatNodes& nodes, const VectorView& signal, const VectorView& weights) {
  for (std::size_t k = 0; k + 1 < nodes.size(); ++k) {
    HatNode& node = nodes[k];
    if (node.end == nodes[k + 1].row) continue;
    node.end = nodes[k + 1].row;
    const double step = 1.0 / static_cast<double>(node.end - node.row);
    double here = 0.0, cross = 0.0, there = 0.0, here_y = 0.0, there_y = 0.0;
    for (Index i = node.row; i < node.end; ++i) {
      const double t = static_cast<double>(i - node.row) * step;
      const double up = weights[i] * t;
      const double down = weights[i] - up;
      cross += down * t;
      here += down * (1.0 - t);
      there += up * t;
      here_y += down * signal[i];
      there_y += up * signal[i];
    }
    node.here = here;
    node.cross = cross;
    node.there = there;
    node.here_y = here_y;
    node.there_y = there_y;
  }
}

void drop_nodes(HatNodes& nodes, const std::vector<char>& drop) {
  std::size_t kept = 0;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    if (!drop[k]) nodes[kept++] = nodes[k];
  }
  nodes.resize(kept);
}

void HatSystem::assemble(const HatNodes& nodes, double last_weight, double last_signal, double lambda) {
  const std::size_t count = nodes.size();
  diagonal.assign(count, 0.0);
  beside.assign(count, 0.0);
  right.assign(count, 0.0);
  for (std::size_t k = 0; k + 1 < count; ++k) {
    const HatNode& node = nodes[k];
    diagonal[k] += node.here;
    diagonal[k + 1] += node.there;
    beside[k] = node.cross;
    // the bends at both ends take this slope, with the sign of the first negative
    const double pull = lambda * (node.sign - nodes[k + 1].sign) / static_cast<double>(node.end - node.row);
    right[k] += node.here_y + pull;
    right[k + 1] += node.there_y - pull;
  }
  diagonal[count - 1] += last_weight;
  right[count - 1] += last_weight * last_signal;
}

void HatSystem::factorise() {
  const std::size_t count = diagonal.size();
  pivot.resize(count);
  factor.resize(count);
  pivot[0] = diagonal[0];
  for (std::size_t k = 0; k + 1 < count; ++k) {
    factor[k] = beside[k] / pivot[k];
    pivot[k + 1] = diagonal[k + 1] - factor[k] * beside[k];
  }
}

std::vector<double> HatSystem::solve() {
  factorise();
  std::vector<double> values = right;
  const std::size_t count = values.size();
  for (std::size_t k = 0; k + 1 < count; ++k) values[k + 1] -= factor[k] * values[k];
  for (std::size_t k = 0; k < count; ++k) values[k] /= pivot[k];
  for (std::size_t k = count - 1; k-- > 0;) values[k] -= factor[k] * values[k + 1];
  return values;
}

}  // namespace alo
