package dev.sro.core.slicing.pack;

import dev.sro.core.slicing.catalogue.DeviceModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Packs instances at the least cost on devices of several models, each with its price and, if there is one, its stock.
 * Branch and bound over the inequalities of the models: bounds are computed in whole numbers and are proofs; a result within the
 * steps allowed is nearly always optimal and says so. The cost of a call does not depend on the number of devices.
 *
 * <p>Immutable and thread-safe.
 */
public final class MixedPacker {
    /** Most instances of all demands together. */
    public static final long MAX_INSTANCES = 1L << 31;

    /** Largest price. */
    public static final long MAX_PRICE = 1L << 31;

    private static final int STEPS = 3000;

    private final List<Feasibility> models;
    private final long[] prices;
    private final long[] stocks;

    private MixedPacker(Builder builder) {
        this.models = List.copyOf(builder.models);
        this.prices = builder.prices.stream().mapToLong(Long::longValue).toArray();
        this.stocks = builder.stocks.stream().mapToLong(Long::longValue).toArray();
    }

    /** A builder without models. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * A demand that every model can carry that has a profile of one of these names or aliases, under the first such name.
     */
    public MixedDemand demand(long count, String... names) {
        Map<String, String> profiles = new HashMap<>();
        for (Feasibility each : models) {
            DeviceModel model = each.geometry().model();
            Arrays.stream(names)
                    .filter(name -> model.indexOf(name) >= 0)
                    .findFirst()
                    .ifPresent(name -> profiles.put(model.key(), name));
        }
        return new MixedDemand(count, profiles);
    }

    /**
     * The cheapest devices that carry all demands.
     *
     * @throws IllegalArgumentException if a count is negative, there are more than {@link #MAX_INSTANCES}, a demand names a
     *     model that was not added or a profile that its model does not have, or no model can carry it
     */
    public MixedPacking pack(List<MixedDemand> demands) {
        long total = 0;
        int[][] profiles = new int[models.size()][demands.size()];
        for (int j = 0; j < demands.size(); j++) {
            MixedDemand demand = demands.get(j);
            total += demand.count();
            if (demand.count() < 0 || total > MAX_INSTANCES) {
                throw new IllegalArgumentException("demand " + j + ": count " + demand.count()
                        + " is negative or makes more than " + MAX_INSTANCES + " instances together");
            }
            resolve(j, demand, profiles);
        }
        long[] needs = demands.stream().mapToLong(MixedDemand::count).toArray();
        return new MixedSearch(new MixedProblem(models, prices, stocks, needs, profiles), STEPS).run();
    }

    private void resolve(int j, MixedDemand demand, int[][] profiles) {
        int known = 0;
        for (int m = 0; m < profiles.length; m++) {
            DeviceModel model = models.get(m).geometry().model();
            String name = demand.profiles().get(model.key());
            profiles[m][j] = name == null ? -1 : model.indexOf(name);
            known += name == null ? 0 : 1;
            if (name != null && profiles[m][j] < 0) {
                throw new IllegalArgumentException(
                        "demand " + j + ": model " + model.key() + " has no profile " + name);
            }
        }
        if (known == 0 || known < demand.profiles().size()) {
            throw new IllegalArgumentException("demand " + j + ": " + demand.profiles()
                    + " must name one or more of the models "
                    + models.stream().map(each -> each.geometry().model().key()).toList()
                    + " and no others");
        }
    }

    /** Collects models; not thread-safe. */
    public static final class Builder {
        private final List<Feasibility> models = new ArrayList<>();
        private final List<Long> prices = new ArrayList<>();
        private final List<Long> stocks = new ArrayList<>();

        private Builder() {}

        /** A model of which any number of devices can be had, at this price each. */
        public Builder add(Feasibility model, long price) {
            return add(model, price, Long.MAX_VALUE);
        }

        /**
         * A model of which so many devices can be had, at this price each.
         *
         * @throws IllegalArgumentException if the price is not between 1 and {@link MixedPacker#MAX_PRICE}, the stock is
         *     negative, or the model was added before
         */
        public Builder add(Feasibility model, long price, long stock) {
            String key = model.geometry().model().key();
            if (price < 1 || price > MAX_PRICE || stock < 0) {
                throw new IllegalArgumentException("model " + key + ": price " + price + " is not between 1 and "
                        + MAX_PRICE + ", or stock " + stock + " is negative");
            }
            if (models.stream().anyMatch(other -> other.geometry().model().key().equals(key))) {
                throw new IllegalArgumentException("model " + key + " was added before");
            }
            models.add(model);
            prices.add(price);
            stocks.add(stock);
            return this;
        }

        /** The packer. */
        public MixedPacker build() {
            return new MixedPacker(this);
        }
    }
}
