package dev.sro.core.dra;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.immutables.value.Value;

/** How Immutables generates here: no dependency, nothing public but the type itself. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.SOURCE)
@Value.Style(jdkOnly = true, visibility = Value.Style.ImplementationVisibility.PACKAGE, overshadowImplementation = true)
@interface DraStyle {}
