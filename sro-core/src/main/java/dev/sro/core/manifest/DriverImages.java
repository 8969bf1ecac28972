package dev.sro.core.manifest;

import dev.sro.api.Outcome;
import dev.sro.api.Pool;
import dev.sro.core.driver.Drivers;
import dev.sro.core.driver.ImageChoice;
import dev.sro.core.driver.PoolDriver;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.recipe.DriverImageToken;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Puts the image of the driver where a manifest has its token, and into the container that an annotation names, and marks the
 * object with it. For one object.
 */
final class DriverImages {

    private static final Pattern TOKEN = Pattern.compile(
            Pattern.quote(DriverImageToken.PREFIX) + "([-A-Za-z0-9._]+)" + Pattern.quote(DriverImageToken.SUFFIX));

    private final Drivers drivers;
    private final String source;
    private final TreeSet<String> used = new TreeSet<>();

    /** @param source state and template, for messages */
    private DriverImages(Drivers drivers, String source) {
        this.drivers = drivers;
        this.source = source;
    }

    /**
     * The object with its images; the tree itself where it has none.
     *
     * @param pool the one that is rendered for; null in a state of scope CLUSTER
     * @throws RenderException if an image is not there yet, or there is none
     */
    static Map<String, Object> in(Map<String, Object> tree, Drivers drivers, @Nullable Pool pool, String source) {
        DriverImages images = new DriverImages(drivers, source);
        Map<String, Object> named = images.named(tree, pool);
        Map<String, Object> result = has(named) ? images.map(named) : named;
        images.mark(result);
        return result;
    }

    /** Marks an object that is made for a pool's driver. */
    static void mark(Map<String, Object> tree, PoolDriver driver) {
        if (!driver.record().isEmpty()) {
            ValueTrees.ensureMap(tree, "metadata", "annotations").put(MetadataKeys.DRIVER_IMAGE, driver.record());
        }
    }

    /** The container that an annotation names gets the token. */
    private Map<String, Object> named(Map<String, Object> tree, @Nullable Pool pool) {
        String name = ValueTrees.text(tree, "metadata", "annotations", MetadataKeys.USE_DRIVER_IMAGE);
        if (name.isEmpty()) {
            return tree;
        }
        if (pool == null) {
            throw RenderException.vendor(
                    "NoDriverImage",
                    source + ": " + MetadataKeys.USE_DRIVER_IMAGE
                            + " needs the image of a pool, and the state is for the whole"
                            + " cluster; make the object kernel-affine (" + MetadataKeys.KERNEL_AFFINE + ": \"true\")");
        }
        Map<String, Object> copy = ValueTrees.mutableCopy(tree);
        boolean found = false;
        for (Map<String, Object> container : Workloads.containers(copy)) {
            if (name.equals("*") || name.equals(ValueTrees.text(container, "name"))) {
                container.put("image", DriverImageToken.compute(pool));
                found = true;
            }
        }
        if (!found) {
            throw RenderException.vendor(
                    "InvalidManifest",
                    source + ": " + MetadataKeys.USE_DRIVER_IMAGE + ": \"" + name + "\" names no container of "
                            + tree.get("kind") + " " + ValueTrees.text(tree, "metadata", "name")
                            + "; name one of its containers, or * for all");
        }
        return copy;
    }

    private static boolean has(Object value) {
        if (value instanceof Map<?, ?> map) {
            return map.values().stream().anyMatch(DriverImages::has);
        }
        if (value instanceof List<?> list) {
            return list.stream().anyMatch(DriverImages::has);
        }
        return value instanceof String text && text.contains(DriverImageToken.PREFIX);
    }

    private Map<String, Object> map(Map<?, ?> tree) {
        Map<String, Object> result = new LinkedHashMap<>(tree.size() * 2);
        tree.forEach((key, value) -> {
            if (value != null) {
                result.put(String.valueOf(key), value(value));
            }
        });
        return result;
    }

    private Object value(Object value) {
        if (value instanceof Map<?, ?> map) {
            return map(map);
        }
        if (value instanceof List<?> list) {
            List<Object> items = new ArrayList<>(list.size());
            list.forEach(item -> items.add(value(item)));
            return items;
        }
        return value instanceof String text && text.contains(DriverImageToken.PREFIX) ? text(text) : value;
    }

    private String text(String text) {
        Matcher matcher = TOKEN.matcher(text);
        StringBuilder result = new StringBuilder();
        while (matcher.find()) {
            matcher.appendReplacement(result, Matcher.quoteReplacement(image(matcher.group(1))));
        }
        return matcher.appendTail(result).toString();
    }

    private String image(String pool) {
        PoolDriver driver = drivers.of(pool);
        if (driver.choice().image().isPresent()) {
            used.add(driver.record());
            return driver.choice().image().get();
        }
        throw pending(driver, source);
    }

    /** Why there is nothing to render: what the image waits for. */
    static RenderException pending(PoolDriver driver, String source) {
        ImageChoice choice = driver.choice();
        if (choice.obstacle().isPresent()) {
            Outcome outcome = choice.obstacle().get();
            if (outcome instanceof Outcome.Waiting waiting) {
                return new RenderException(waiting);
            }
            if (outcome instanceof Outcome.Failed failed) {
                return new RenderException(failed.problem());
            }
        }
        return RenderException.vendor(
                "NoDriverImage",
                source
                        + " needs the image of the driver, and nobody says which that is; set"
                        + " spec.driver.containerImage or spec.driver.repository");
    }

    private void mark(Map<String, Object> tree) {
        used.remove("");
        if (used.size() == 1) {
            ValueTrees.ensureMap(tree, "metadata", "annotations").put(MetadataKeys.DRIVER_IMAGE, used.first());
        }
    }
}
