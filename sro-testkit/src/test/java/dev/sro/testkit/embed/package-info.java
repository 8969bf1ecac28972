/** The front door for embedders on the cluster in the JVM. */
@NullMarked
package dev.sro.testkit.embed;

import org.jspecify.annotations.NullMarked;
