package dev.sro.testkit.sim;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The images that can be pulled. An image is there when it was pushed ({@link #push}, or by a simulated build), or when no rule
 * says otherwise: {@link #onlyPushed} names images that exist only after a push, {@link #remove} takes one away. References are
 * compared as written, except that a missing tag means {@code latest}, and that a digest behind a tag says nothing more. In a
 * sandbox SRO finds the images that simulated nodes can pull. Thread-safe.
 */
public final class SimRegistry {
    /** Where OpenShift's own registry answers inside a cluster; images there exist only when they were built. */
    public static final String OPENSHIFT_INTERNAL = "image-registry.openshift-image-registry.svc:5000";

    private final Set<String> pushed = new LinkedHashSet<>();
    private final Set<String> removed = new LinkedHashSet<>();
    private final List<Predicate<String>> onlyPushed = new ArrayList<>();
    private final List<String> pushes = new ArrayList<>();
    private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();

    /** A registry in which every image exists, except those of OpenShift's internal registry that nobody pushed. */
    public SimRegistry() {
        onlyPushed.add(ref -> ref.startsWith(OPENSHIFT_INTERNAL + "/"));
    }

    /** Images that match this glob ({@code *} is any text) exist only when pushed. */
    public synchronized SimRegistry onlyPushed(String glob) {
        onlyPushed.add(glob(glob));
        return this;
    }

    /** Makes an image pullable, and tells those who wait for it. */
    public SimRegistry push(String ref) {
        String image = normalise(ref);
        synchronized (this) {
            removed.remove(image);
            pushed.add(image);
            pushes.add(image);
        }
        listeners.forEach(l -> l.accept(image));
        return this;
    }

    /** Takes an image away: pulls fail until it is pushed again. Running containers do not mind. */
    public synchronized SimRegistry remove(String ref) {
        String image = normalise(ref);
        pushed.remove(image);
        removed.add(image);
        return this;
    }

    /** Whether a pull of this image succeeds now. */
    public synchronized boolean exists(String ref) {
        String image = normalise(ref);
        if (pushed.contains(image)) {
            return true;
        }
        return !removed.contains(image) && onlyPushed.stream().noneMatch(rule -> rule.test(image));
    }

    /** Every push so far, in order, with repetitions. */
    public synchronized List<String> pushes() {
        return Collections.unmodifiableList(new ArrayList<>(pushes));
    }

    /** Called after each push, on the thread that pushed. */
    void onPush(Consumer<String> listener) {
        listeners.add(listener);
    }

    /** The reference with its tag spelled out, and without a digest behind it. */
    static String normalise(String ref) {
        int at = ref.indexOf('@');
        if (at >= 0) {
            String name = ref.substring(0, at);
            return isTagged(name) ? name : ref;
        }
        return isTagged(ref) ? ref : ref + ":latest";
    }

    private static boolean isTagged(String ref) {
        return ref.indexOf(':', ref.lastIndexOf('/') + 1) >= 0;
    }

    static Predicate<String> glob(String glob) {
        StringBuilder regex = new StringBuilder();
        for (int i = 0; i < glob.length(); i++) {
            char c = glob.charAt(i);
            regex.append(c == '*' ? ".*" : Pattern.quote(String.valueOf(c)));
        }
        Pattern pattern = Pattern.compile(regex.toString());
        return text -> pattern.matcher(text).matches();
    }
}
