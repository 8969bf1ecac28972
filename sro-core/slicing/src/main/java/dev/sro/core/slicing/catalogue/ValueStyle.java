package dev.sro.core.slicing.catalogue;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.immutables.value.Value;

/**
 * The style in which Immutables generates: no dependency, nothing public but the type itself. Kept out of class files, so that whoever
 * compiles against the type needs no Immutables.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.SOURCE)
@Value.Style(jdkOnly = true, visibility = Value.Style.ImplementationVisibility.PACKAGE, overshadowImplementation = true)
public @interface ValueStyle {}
