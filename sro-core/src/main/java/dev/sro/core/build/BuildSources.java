package dev.sro.core.build;

import dev.sro.api.driver.RegistrySecurity;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Port: what builds take in and is not in their plans. Answers from memory; asking is what makes somebody look, and then the special
 * resource is reconciled again. Implementations are thread-safe.
 */
public interface BuildSources {

    /** Knows nothing: ConfigMaps and Secrets are not there, and no toolkit is. */
    BuildSources NONE = new BuildSources() {
        @Override
        public Answer dockerfile(String namespace, String configMap) {
            return new Absent("this operator was built without a reader of ConfigMaps");
        }

        @Override
        public Answer secret(String namespace, String name) {
            return new Absent("this operator was built without a reader of Secrets");
        }

        @Override
        public List<Toolkits.ToolkitImage> toolkits(String architecture) {
            return List.of();
        }
    };

    /** What is known of one thing. */
    sealed interface Answer {
        /** What comes of it, in each of the cases that there are. */
        <R> R map(
                Function<Available, R> available,
                Supplier<R> pending,
                Function<Absent, R> absent,
                Function<Unreadable, R> unreadable);
    }

    /** It is being looked at. */
    record Pending() implements Answer {
        @Override
        public <R> R map(
                Function<Available, R> available,
                Supplier<R> pending,
                Function<Absent, R> absent,
                Function<Unreadable, R> unreadable) {
            return pending.get();
        }
    }

    /**
     * It is not there.
     *
     * @param why for a person
     */
    record Absent(String why) implements Answer {
        @Override
        public <R> R map(
                Function<Available, R> available,
                Supplier<R> pending,
                Function<Absent, R> absent,
                Function<Unreadable, R> unreadable) {
            return absent.apply(this);
        }
    }

    /**
     * Whether it is there is not told.
     *
     * @param why for a person, with what to do about it
     */
    record Unreadable(String why) implements Answer {
        @Override
        public <R> R map(
                Function<Available, R> available,
                Supplier<R> pending,
                Function<Absent, R> absent,
                Function<Unreadable, R> unreadable) {
            return unreadable.apply(this);
        }
    }

    /**
     * It is there.
     *
     * @param value the text, the version, or the digest of an image
     */
    record Available(String value) implements Answer {
        @Override
        public <R> R map(
                Function<Available, R> available,
                Supplier<R> pending,
                Function<Absent, R> absent,
                Function<Unreadable, R> unreadable) {
            return available.apply(this);
        }
    }

    /**
     * Which image.
     *
     * @param image as it is pulled
     * @param architecture as Kubernetes names it
     * @param security how safe the connection has to be
     * @param namespace of the Secrets
     * @param pullSecrets names of Secrets
     */
    record Question(
            String image, String architecture, RegistrySecurity security, String namespace, List<String> pullSecrets) {
        /** Copies. */
        public Question {
            pullSecrets = List.copyOf(pullSecrets);
        }
    }

    /** The key {@code dockerfile} of a ConfigMap. */
    Answer dockerfile(String namespace, String configMap);

    /** What changes when the content of a Secret does. */
    Answer secret(String namespace, String name);

    /** Kernels that nodes may get soon, because a preflight is about them: images for them stay. */
    default Set<String> awaitedKernels() {
        return Set.of();
    }

    /** All images of all tags of OpenShift's driver toolkit. */
    List<Toolkits.ToolkitImage> toolkits(String architecture);
}
