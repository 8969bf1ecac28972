/** Tests of the package of this name: objects of Kubernetes in, facts out. */
@NullMarked
package dev.sro.core.client.cache;

import org.jspecify.annotations.NullMarked;
