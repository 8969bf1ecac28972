/**
 * {@code sro manifests}. In: plugins, and where SRO is to live. Out: all that installs it, the rights that it needs among it, as a kustomize base and as a Helm chart. {@link OperatorParts} has the same for other forms.
 *
 * <p>Internal: it may change with any version. Users have the command line.
 */
@NullMarked
package dev.sro.runtime.install;

import org.jspecify.annotations.NullMarked;
