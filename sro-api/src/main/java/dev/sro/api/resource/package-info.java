/**
 * The custom resource {@code sro.openshift.io/v1beta1 SpecialResource} as Java classes. What comes in is what users write and
 * what the API server returns; what goes out is the same, nothing lost: unknown fields are kept, absent fields stay absent. The
 * classes are plain mutable beans as the fabric8 client wants them; they know no client and no behaviour. The
 * CustomResourceDefinition in {@code META-INF/sro/crds} is generated from them.
 */
@NullMarked
package dev.sro.api.resource;

import org.jspecify.annotations.NullMarked;
