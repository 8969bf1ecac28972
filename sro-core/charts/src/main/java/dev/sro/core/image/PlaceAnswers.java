package dev.sro.core.image;

import java.util.ArrayList;
import java.util.List;

/**
 * What the places of an image said that do not have it. A registry that may be asked without encryption is two places in a row, as for
 * container runtimes: what it says encrypted counts, and where it does not speak TLS, what it says without. Not thread-safe.
 */
final class PlaceAnswers {
    private final List<String> failures = new ArrayList<>();
    private ImageException.Kind worst = ImageException.Kind.NOT_FOUND;
    private ImageException.Kind before = ImageException.Kind.NOT_FOUND;
    private boolean answered;

    /** Whether a place is to be asked: not without encryption where the same registry has answered with it. */
    boolean ask(Place place) {
        return !place.isPlain() || !answered;
    }

    /** A place does not give the image. */
    void failed(Place place, ImageException.Kind kind, String message) {
        answered = kind != ImageException.Kind.UNREACHABLE;
        if (place.isPlain() && answered) {
            failures.remove(failures.size() - 1);
            worst = before;
        }
        before = worst;
        worst = kind.compareTo(worst) > 0 ? kind : worst;
        failures.add(message);
    }

    /** Of what all said that which says most. */
    ImageException.Kind worst() {
        return worst;
    }

    /** What each registry said. */
    String said() {
        return String.join("; ", failures);
    }
}
