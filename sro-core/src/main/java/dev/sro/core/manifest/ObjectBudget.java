package dev.sro.core.manifest;

/** How many objects a recipe may have, for all pools together. Lives for one rendering; not thread-safe. */
final class ObjectBudget {

    /** A hundred pools with a hundred objects each; the caches and the plan hold all of them. */
    static final int MAX_OBJECTS = 10_000;

    private int left = MAX_OBJECTS;

    /**
     * Takes some.
     *
     * @param where they are made, for the message
     * @throws RenderException if there are not as many left
     */
    void take(int objects, String where) {
        left -= objects;
        if (left < 0) {
            throw RenderException.vendor(
                    "TooManyObjects",
                    where + ": with its objects the recipe has more than " + MAX_OBJECTS
                            + ", for all pools together; make fewer objects, or fewer of them kernel-affine");
        }
    }
}
