package dev.sro.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The engine of this version does not read what is marked with this: the contract can express it, so that plugins can be
 * written and tested against it, but nothing in the cluster changes.
 *
 * <p>A plugin that uses such a part is told so, never served in silence: SRO logs it when the plugin is first asked, and
 * every special resource of that plugin carries the condition {@code CapabilitiesNotActedOn} with the names. The mark is
 * taken away in the version that acts; that is no incompatible change.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface NotActedOnYet {

    /** What to do until then, in a few words: "give the state a Job". */
    String until();
}
