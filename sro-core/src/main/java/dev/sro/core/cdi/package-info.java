/**
 * Files that container runtimes read. In: values of {@link dev.sro.api.device}, or the text of a configuration file of an OCI
 * decorator. Out: specifications of the Container Device Interface, hooks of CRI-O and podman, configurations of their hook. All of
 * it is pure.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.cdi;

import org.jspecify.annotations.NullMarked;
