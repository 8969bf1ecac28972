package dev.sro.core.slicing.catalogue;

import java.util.Locale;

/**
 * One spelling for the names that drivers, node labels and people give a product: {@code NVIDIA A100-SXM4-40GB},
 * {@code NVIDIA-A100-SXM4-40GB-MIG-1g.5gb} (the label of a node that is sliced), {@code a100 sxm4 40gb}. Stateless.
 */
final class ProductNames {
    private ProductNames() {}

    static String normal(String name) {
        return name.toLowerCase(Locale.ROOT)
                .replaceFirst("-shared$", "")
                .replaceFirst("-mig-[0-9].*$", "")
                .replaceAll("[^a-z0-9]+", "-")
                .replaceFirst("^(nvidia|amd)-", "")
                .replaceAll("^-|-$", "");
    }
}
