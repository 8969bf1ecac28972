/** Will hold the plugin for NVIDIA GPUs. Holds nothing yet: nothing comes in, nothing goes out. */
@NullMarked
package dev.sro.plugins.nvidia;

import org.jspecify.annotations.NullMarked;
