package dev.sro.api.driver;

import dev.sro.api.Checks;
import java.util.Objects;

/**
 * A webhook that starts a build of a BuildConfig. Immutable.
 *
 * @param type who calls
 * @param secret name of the Secret in the operand namespace whose key {@code WebHookSecretKey} the caller has to know
 * @since 0.1.0
 */
public record BuildTrigger(Type type, String secret) {

    /** The caller of the webhook. */
    public enum Type {
        /** GitHub. */
        GITHUB,
        /** GitLab. */
        GITLAB,
        /** Bitbucket. */
        BITBUCKET,
        /** Anybody else. */
        GENERIC
    }

    /** Checks the name. */
    public BuildTrigger {
        Objects.requireNonNull(type, "type");
        Checks.dnsSubdomain("BuildTrigger.secret", secret);
    }
}
