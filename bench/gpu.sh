#!/bin/sh
# The GPU workloads in one command, on a machine with a graphics card: WebGPU through Dawn in Node (npm package
# "webgpu", a Vulkan driver), PyTorch on CUDA where it is installed (BENCH_PYTHON names its interpreter). Options are
# passed on, such as --runs 7.
#
# Where node_modules is missing, only what these sides need is installed.
set -e
cd "$(dirname "$0")/.."
[ -d node_modules ] || npm ci --ignore-scripts --no-audit --no-fund
if command -v nvidia-smi >/dev/null; then nvidia-smi --query-gpu=name,driver_version --format=csv,noheader >&2; fi
exec node --import tsx bench/bench.ts --suite train \
  --engines stock-webgpu,jax-js-webgpu,blindfold-webgpu,pytorch-cuda "$@"
