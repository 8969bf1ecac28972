/** What plugins say of container runtimes, on simulated nodes. */
@NullMarked
package dev.sro.testkit.runtimehook;

import org.jspecify.annotations.NullMarked;
