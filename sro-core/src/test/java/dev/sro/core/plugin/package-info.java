/** Tests of plugin loading. They build their plugins with the JDK's own compiler. */
@NullMarked
package dev.sro.core.plugin;

import org.jspecify.annotations.NullMarked;
