"""Reads a fields.nc as a user of xarray and netCDF4 would, and prints what it found as JSON."""
import json
import math
import sys

import netCDF4
import numpy as np
import xarray as xr

path = sys.argv[1]
data = xr.open_dataset(path, engine="netcdf4")
observations = xr.open_dataset(path, group="observations", engine="netcdf4")
diagnostics = xr.open_dataset(path, group="diagnostics", engine="netcdf4")
last = data.sel(assimilation=sys.argv[2]).isel(time=-1)
with netCDF4.Dataset(path) as raw:
    unlimited = [name for name, dimension in raw.dimensions.items() if dimension.isunlimited()]
    filters = raw["eta_analysis"].filters()
    chunks = raw["eta_analysis"].chunking()
    filled = [raw[name] for name in ("eta_spread_forecast", "observations/departure", "diagnostics/rmse_analysis_h")]
    fill_values = ["_FillValue" in variable.ncattrs() for variable in filled]


def listed(values):
    """Numbers as JSON has them, None if nothing is known."""
    return [None if math.isnan(value) else float(value) for value in np.ravel(values)]


print(
    json.dumps(
        {
            "dims": {name: int(size) for name, size in data.sizes.items()},
            "order": list(data["eta_analysis"].dims),
            "methods": [str(name) for name in data["assimilation"].values],
            "seconds": [float(s) for s in (data["time"] - np.datetime64("2000-01-01")) / np.timedelta64(1, "s")],
            "conventions": data.attrs["Conventions"],
            "units": data["hu_analysis"].attrs["units"],
            "unlimited": unlimited,
            "zlib": bool(filters["zlib"]),
            "chunks": chunks,
            "eta": listed(last["eta_analysis"].values),
            "bed": listed(data["bed"].values),
            "spread": [bool(known) for known in data["eta_spread_analysis"].notnull().all(("time", "y", "x")).values],
            "count": [int(count) for count in observations["count"].values],
            "observed": listed(observations["value"].values),
            "innovation": listed(observations["innovation"].values[1]),
            "departure": listed(observations["departure"].values[1]),
            "fillValues": fill_values,
            "scores": list(diagnostics["rmse_analysis_h"].shape),
            "rmse": listed(diagnostics["rmse_analysis_h"].values[-1]),
            "ranks": {
                "dims": list(diagnostics["rank_histogram_h"].dims),
                # Whether there is a count of the highest rank: a single state has the first two alone.
                "counted": [bool(known) for known in diagnostics["rank_histogram_h"].notnull().values[:, -1, -1]],
            },
            "spectrum": {
                "dims": list(diagnostics["spectrum_forecast_error"].dims),
                "units": diagnostics["spectrum_forecast_error"].attrs["units"],
                "values": listed(diagnostics["spectrum_forecast_error"].values[-1, -1]),
            },
            "lists": {
                name: diagnostics[name].attrs["units"]
                for name in ("spread_bin_variance_hu", "spread_bin_share_hu", "crps_alpha_hu")
            },
            "bandUnits": diagnostics["band"].attrs["units"],
            "observationSeconds": [
                float(s) for s in (observations["time"] - np.datetime64("2000-01-01")) / np.timedelta64(1, "s")
            ],
            "flags": str(observations["quality"].attrs["flag_meanings"]),
        }
    )
)
