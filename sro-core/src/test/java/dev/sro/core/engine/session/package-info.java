/** Tests of what is kept between reconciles. In: refusals. Out: what is left out of objects. */
@NullMarked
package dev.sro.core.engine.session;

import org.jspecify.annotations.NullMarked;
