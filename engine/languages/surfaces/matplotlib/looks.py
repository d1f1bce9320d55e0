"""Names of matplotlib that change nothing in these drawings: how things look, and kinds that are not drawn.

A grid has its scale of colours anyway, and room is found for all words.
"""

from __future__ import annotations

from typing import Any

from engine.languages.interpreter.values import Ignored
from engine.languages.surfaces.matplotlib.library import AXES, DRAWN, FIGURE, PLT

QUIET = """
    colorbar draw draw_if_interactive ioff ion margins pause subplots_adjust tick_params
    tight_layout
"""
LOOKS = """
    annotations autumn bone box boxplot broken_barh clabel clim cm connect cool copper csd delaxes
    errorbar eventplot figlegend figtext fignum_exists fill fill_betweenx flag get_cmap
    get_current_fig_manager get_fignums ginput gray hexbin hist2d hlines hot hsv inferno
    isinteractive jet locator_params magma minorticks_off minorticks_on nipy_spectral pcolor
    pcolormesh pie pink plasma polar prism quiver quiverkey rc rc_context rcdefaults rcParams
    rcParamsDefault rgrids sci set_cmap setp specgram spectral spring spy stackplot stem step
    streamplot style subplot2grid subplot_mosaic summer switch_backend table thetagrids
    ticklabel_format tricontour tricontourf tripcolor triplot twinx twiny viridis violinplot vlines
    waitforbuttonpress winter xkcd arrow axhspan axvspan Line2D Normalize Circle Rectangle
"""
OF_AXES = """
    add_artist add_collection add_line add_patch arrow autoscale autoscale_view axhspan axvspan
    bar_label boxplot clabel collections dataLim errorbar fill fill_betweenx get_figure get_legend
    get_legend_handles_labels get_lines get_position get_title get_xaxis get_xlim get_xticklabels
    get_yaxis get_ylim get_yticklabels hexbin hist2d hlines images label_outer lines locator_params
    minorticks_off minorticks_on patches pcolor pcolormesh pie plot_surface plot_trisurf
    plot_wireframe plot3D quiver relim scatter3D set_axis_off set_axis_on set_axisbelow
    set_facecolor set_prop_cycle set_xticklabels set_yticklabels set_zlabel set_zlim spines
    stackplot stem step streamplot table transAxes transData twinx twiny view_init violinplot vlines
    xaxis yaxis zaxis
"""
OF_FIGURES = """
    canvas dpi legend number patch set_constrained_layout set_dpi set_facecolor set_figheight
    set_figwidth set_tight_layout text
"""
OF_DRAWINGS = """
    set_data set_label set_color remove set_ydata set_xdata set_offsets
"""


def _nothing(*args: Any, **options: Any) -> None:
    """Changes nothing here."""


def _ignored(members: Any, prefix: str, names: str) -> None:
    """Each of these names, and whatever is asked of it, is accepted with a note."""
    for name in names.split():
        members.fact(name)(lambda _, path=f"{prefix}.{name}": Ignored(path))


PLT.function(*QUIET.split())(_nothing)
AXES.method("margins", "tick_params", "ticklabel_format")(_nothing)
FIGURE.method("colorbar", "subplots_adjust", "tight_layout", "autofmt_xdate", "set_size_inches")(_nothing)
for _name in LOOKS.split():
    PLT.value(Ignored(f"plt.{_name}"), _name)
_ignored(AXES, "ax", OF_AXES)
_ignored(FIGURE, "fig", OF_FIGURES)
_ignored(DRAWN, "artist", OF_DRAWINGS)
