/**
 * The rights that the operator needs. In: what it serves, and plugins. Out: rules of roles, each with who asks for it.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.client.rights;

import org.jspecify.annotations.NullMarked;
