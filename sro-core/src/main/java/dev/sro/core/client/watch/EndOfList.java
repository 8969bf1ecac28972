package dev.sro.core.client.watch;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.util.Arrays;

/**
 * How handlers learn that they have seen all that a list had. fabric8 says so from 7.7 on ({@code ResourceEventHandler.onList}). Before, what
 * an informer remembers and a list has not is told as gone after everything that the list has: so an object that no list can have, and that
 * is never forgotten, is told as gone at the end of each. Stateless.
 */
final class EndOfList {

    /** Of no object of Kubernetes, as names have no tilde. */
    private static final String NAME = "~end-of-list";

    private EndOfList() {}

    /** Whether the client that is on the class path, which may be older than the one that SRO was built with, says so itself. */
    static boolean isTold() {
        return Arrays.stream(ResourceEventHandler.class.getMethods())
                .anyMatch(method -> method.getName().equals("onList"));
    }

    /** A new object that no list has. */
    static HasMetadata mark() {
        GenericKubernetesResource mark = new GenericKubernetesResource();
        ObjectMeta metadata = new ObjectMeta();
        metadata.setName(NAME);
        mark.setMetadata(metadata);
        return mark;
    }

    static boolean isMark(HasMetadata object) {
        return NAME.equals(object.getMetadata().getName());
    }
}
