package dev.sro.core.image;

import dev.sro.core.recipe.source.Registries;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Deletes one tag, by the OCI distribution specification 1.1. For one use. */
final class Deletion {

    private static final int ACCEPTED = 202;
    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int NOT_ALLOWED = 405;

    private final Registries.Repository repository;
    private final ImageReference image;
    private final List<ImageReference> staying;

    /** @param staying images of the same repository that must not go */
    Deletion(Registries.Repository repository, ImageReference image, List<ImageReference> staying) {
        this.repository = repository;
        this.image = image;
        this.staying = List.copyOf(staying);
    }

    /** Empty when it is gone; else why it is not. */
    Optional<String> run() throws IOException {
        int status = repository.delete(image.version());
        if (status != BAD_REQUEST && status != NOT_ALLOWED) {
            return reason(status);
        }
        // Many registries delete by digest only, and then all tags of it at once.
        String digest = digest(image);
        for (ImageReference other : staying) {
            if (other.version().equals(digest) || (!other.version().contains(":") && same(other, digest))) {
                return Optional.of(image + " stays: " + other + " has the same digest, and the registry deletes both or"
                        + " none");
            }
        }
        return reason(repository.delete(digest));
    }

    private boolean same(ImageReference other, String digest) throws IOException {
        try {
            return digest(other).equals(digest);
        } catch (IOException e) {
            if (Images.kind(e) == ImageException.Kind.NOT_FOUND) {
                return false;
            }
            throw e;
        }
    }

    private String digest(ImageReference of) throws IOException {
        return ManifestDigest.of(of.version(), repository.manifest(of.version(), ImageManifest.TYPES));
    }

    private Optional<String> reason(int status) {
        return switch (status) {
            case ACCEPTED, OK, NOT_FOUND -> Optional.empty();
            case UNAUTHORIZED, FORBIDDEN ->
                Optional.of("the registry does not let " + image + " be deleted with this login (HTTP " + status
                        + "): give the push Secret the right to delete");
            case NOT_ALLOWED, BAD_REQUEST ->
                Optional.of("the registry does not delete images (HTTP " + status + ", " + image
                        + "): allow it there, or have it delete old tags by itself and set --delete-images openshift");
            default -> Optional.of("the registry answers HTTP " + status + " to the deletion of " + image);
        };
    }
}
