/** Tests of the custom resource classes, and the generator of the CustomResourceDefinition that is made from them. */
@NullMarked
package dev.sro.api.resource;

import org.jspecify.annotations.NullMarked;
