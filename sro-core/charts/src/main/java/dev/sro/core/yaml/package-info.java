/**
 * YAML and JSON, read and written; nothing else in the core does. In: text, or a tree. Out: a tree of maps, lists and scalars, or text.
 * {@link dev.sro.core.yaml.Yaml} reads manifests as Kubernetes' own tools do, {@link dev.sro.core.yaml.LenientYaml} files of charts and
 * documents of registries, which others judge.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.yaml;

import org.jspecify.annotations.NullMarked;
