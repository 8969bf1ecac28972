package dev.sro.core.recipe.source;

import dev.sro.core.recipe.chart.ChartException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;

/** Reads what is in registries of images, whatever it is: the connection, the login and the limits of charts. Thread-safe. */
public final class Registries {

    private final HttpFiles http;

    /**
     * @param clients connects
     * @param limit how long one answer may take; of a stream, its first byte
     */
    public Registries(HttpClients clients, Duration limit) {
        this.http = new HttpFiles(
                clients, limit, "make it known to SRO: on OpenShift as additionalTrustedCA, elsewhere to its Java");
    }

    /**
     * How a registry is asked. Immutable.
     *
     * @param host with its port, if there is one
     * @param path of the repository, without slashes at the ends
     * @param username empty for none
     * @param password empty for none
     * @param authorities certificates (PEM) that the server's may come from, beside those of the Java platform; may be empty
     * @param security how the connection is made
     * @param loginHint for a person: where the login comes from
     */
    public record Address(
            String host,
            String path,
            String username,
            String password,
            String authorities,
            Security security,
            String loginHint) {

        /** Without the login. */
        @Override
        public String toString() {
            return host + "/" + path;
        }
    }

    /** How a connection is made. */
    public enum Security {
        /** With TLS, but for this machine. */
        CHECKED,
        /** With TLS, and any certificate will do. */
        UNCHECKED,
        /** Without TLS. */
        PLAIN
    }

    /** One repository; for one use, on one thread. */
    public static final class Repository {
        private final OciRegistry registry;

        private Repository(OciRegistry registry) {
            this.registry = registry;
        }

        /**
         * The manifest that a tag or a digest names, as it is; its digest is not checked.
         *
         * @param types media types that will do
         * @throws IOException if it cannot be had; the message says why
         */
        public byte[] manifest(String reference, List<String> types) throws IOException {
            try {
                return registry.manifest(reference, types);
            } catch (ChartException e) {
                throw new IOException(e.problem().message(), e);
            }
        }

        /**
         * Asks for a manifest to be deleted.
         *
         * @param reference a tag, which then goes alone, or a digest, with which all its tags go
         * @return the status of the answer: 202 where it was deleted
         * @throws IOException if there is no answer
         */
        public int delete(String reference) throws IOException {
            try {
                return registry.delete(reference);
            } catch (ChartException e) {
                throw new IOException(e.problem().message(), e);
            }
        }

        /**
         * A blob, which the caller closes; its digest is not checked.
         *
         * @throws IOException if it cannot be had; the message says why
         */
        public InputStream blob(String digest) throws IOException {
            try {
                return registry.stream(digest);
            } catch (ChartException e) {
                throw new IOException(e.problem().message(), e);
            }
        }
    }

    /** The repository at this address; nothing is asked of it yet. */
    public Repository open(Address address) {
        String scheme = switch (address.security()) {
            case CHECKED -> OciRegistry.scheme(address.host());
            case UNCHECKED -> "https";
            case PLAIN -> "http";
        };
        TlsSettings tls =
                new TlsSettings(address.authorities(), "", "", address.security() == Security.UNCHECKED, true);
        RepositoryCredentials access = new RepositoryCredentials(address.username(), address.password(), tls);
        OciRegistry.Hints hints = new OciRegistry.Hints("There is no such image", address.loginHint());
        return new Repository(new OciRegistry(http, access, scheme, address.host(), address.path(), hints));
    }
}
