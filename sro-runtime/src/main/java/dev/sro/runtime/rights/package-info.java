/**
 * {@code sro rbac}. In: plugins, or a special resource with a recipe that no plugin brought. Out: the rights that the operator needs, or
 * those that this recipe needs of the account by whose rights it is applied.
 *
 * <p>Internal: it may change with any version. Users have the command line.
 */
@NullMarked
package dev.sro.runtime.rights;

import org.jspecify.annotations.NullMarked;
