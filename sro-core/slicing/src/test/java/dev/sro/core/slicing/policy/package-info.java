@NullMarked
package dev.sro.core.slicing.policy;

import org.jspecify.annotations.NullMarked;
