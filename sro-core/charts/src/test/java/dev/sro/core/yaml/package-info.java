@NullMarked
package dev.sro.core.yaml;

import org.jspecify.annotations.NullMarked;
