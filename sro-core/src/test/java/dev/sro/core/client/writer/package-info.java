/** Tests of writes. In: terms and answers. Out: what is written or refused. */
@NullMarked
package dev.sro.core.client.writer;

import org.jspecify.annotations.NullMarked;
