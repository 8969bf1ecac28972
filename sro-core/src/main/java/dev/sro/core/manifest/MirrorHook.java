package dev.sro.core.manifest;

import dev.sro.core.model.DockerfileImages;
import dev.sro.core.model.ImageMirrors;
import dev.sro.core.model.ValueTrees;
import java.util.Map;
import java.util.Set;

/**
 * Replaces the registries of images: of all containers of all workloads and of the volumes that are images, and of what builds, in
 * the FROM lines of their Dockerfiles too, and image streams take in. What builds push stays where it is. Stateless.
 */
final class MirrorHook {

    /** Keys under which ConfigMaps have Dockerfiles, those of Kernel Module Management among them. */
    private static final Set<String> DOCKERFILES = Set.of("Dockerfile", "dockerfile");

    private static final Set<String> STRATEGIES = Set.of("dockerStrategy", "sourceStrategy", "customStrategy");

    private MirrorHook() {}

    static void apply(Map<String, Object> tree, HookContext context) {
        ImageMirrors mirrors = context.mirrors();
        if (mirrors.isEmpty()) {
            return;
        }
        Workloads.containers(tree).forEach(container -> replace(container, "image", mirrors));
        Workloads.podTemplate(tree)
                .ifPresent(path -> ValueTrees.maps(tree, Workloads.join(path, "spec", "volumes"))
                        .forEach(volume -> replace(mutable(volume, "image"), "reference", mirrors)));
        switch (String.valueOf(tree.get("kind"))) {
            case "BuildConfig", "Build" -> build(tree, mirrors);
            case "ImageStream" -> {
                ValueTrees.maps(tree, "spec", "tags").forEach(tag -> reference(mutable(tag, "from"), mirrors));
                replace(mutable(tree, "spec"), "dockerImageRepository", mirrors);
            }
            case "ConfigMap" -> {
                Map<String, Object> data = mutable(tree, "data");
                DOCKERFILES.forEach(key -> dockerfile(data, key, mirrors));
            }
            default -> {
                // No other kind has images in places that are known.
            }
        }
    }

    private static void build(Map<String, Object> tree, ImageMirrors mirrors) {
        Map<String, Object> spec = mutable(tree, "spec");
        STRATEGIES.forEach(strategy ->
                reference(mutable(mutable(mutable(spec, "strategy"), strategy), "from"), mirrors));
        ValueTrees.maps(tree, "spec", "source", "images").forEach(image -> reference(mutable(image, "from"), mirrors));
        dockerfile(mutable(spec, "source"), "dockerfile", mirrors);
        // Of Shipwright.
        replace(mutable(spec, "builder"), "image", mirrors);
    }

    /** An object reference of OpenShift: only one of this kind is an image of a registry by name. */
    private static void reference(Map<String, Object> from, ImageMirrors mirrors) {
        if ("DockerImage".equals(from.get("kind"))) {
            replace(from, "name", mirrors);
        }
    }

    private static void dockerfile(Map<String, Object> holder, String key, ImageMirrors mirrors) {
        if (holder.get(key) instanceof String text) {
            holder.put(key, DockerfileImages.mirrored(text, mirrors));
        }
    }

    private static void replace(Map<String, Object> holder, String key, ImageMirrors mirrors) {
        if (holder.get(key) instanceof String image && !image.isEmpty()) {
            holder.put(key, mirrors.of(image));
        }
    }

    /** The map as it is in the tree; an empty one that nobody has where there is none. */
    @SuppressWarnings("unchecked")
    private static Map<String, Object> mutable(Map<String, Object> holder, String key) {
        return holder.get(key) instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
    }
}
