#!/bin/sh
# Checks and times Dualgap's WebGPU kernels on this machine; see README.md beside it. Needs a Vulkan driver, nothing else.
here=$(cd "$(dirname "$0")" && pwd) || exit 2
# The Vulkan loader, which drivers for servers do not always bring along: the kit's own where the system has none.
if ! { ldconfig -p || /sbin/ldconfig -p; } 2>/dev/null | grep -q 'libvulkan\.so\.1' && [ -d "$here/lib" ]; then
  LD_LIBRARY_PATH="${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$here/lib"
  export LD_LIBRARY_PATH
fi
exec "$here/bin/node" "$here/app/kit.js" "$@"
