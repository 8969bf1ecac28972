/**
 * Requests by the rights of the accounts of recipes. In: a client, an account. Out: a client that acts as it.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.client.account;

import org.jspecify.annotations.NullMarked;
