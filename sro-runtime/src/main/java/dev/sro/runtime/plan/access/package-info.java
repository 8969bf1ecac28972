/**
 * Whether the accounts of recipes may write what a plan wants to write by their rights. In: writes with the account of each, and who answers
 * what an account may. Out: what would be refused, with account, verbs, resource and namespace, or what was not checked and why.
 *
 * <p>Internal: it may change with any version. Users have the command line.
 */
@NullMarked
package dev.sro.runtime.plan.access;

import org.jspecify.annotations.NullMarked;
