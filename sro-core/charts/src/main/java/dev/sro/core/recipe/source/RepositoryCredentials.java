package dev.sro.core.recipe.source;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * With what a repository is asked. Immutable.
 *
 * @param username empty for none
 * @param password empty for none
 */
record RepositoryCredentials(String username, String password, TlsSettings tls) {

    static final RepositoryCredentials NONE = new RepositoryCredentials("", "", TlsSettings.DEFAULT);

    boolean hasLogin() {
        return !username.isEmpty() || !password.isEmpty();
    }

    /** The header Authorization; empty when there is no login. */
    String basic() {
        if (!hasLogin()) {
            return "";
        }
        byte[] login = (username + ":" + password).getBytes(StandardCharsets.UTF_8);
        return "Basic " + Base64.getEncoder().encodeToString(login);
    }

    /** Without anything that is secret. */
    @Override
    public String toString() {
        return "Access[" + (hasLogin() ? "with" : "without") + " login, " + tls + "]";
    }
}
