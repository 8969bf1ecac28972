package dev.sro.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * May still change or go in any version: works as it says, but its shape is not settled. Everything else of the contract changes
 * incompatibly in a new major version only.
 *
 * @since 0.1.0
 */
@Documented
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface Experimental {

    /** The part that may still change, in a few words. */
    String value();
}
